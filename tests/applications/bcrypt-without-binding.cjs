// Loaded before an application's own code: bcrypt 5 where its compiled half, which an installation script downloads, is not there.
// No password fits, and none is hashed: a session cookie takes neither.
const { existsSync } = require("node:fs");
const Module = require("node:module");

const load = Module._load;
const refuse = () => {
  throw new Error("bcrypt has no compiled half here");
};
const BINDING = {
  compare: (_password, _hash, done) => done(null, false),
  compare_sync: () => false,
  encrypt: refuse,
  encrypt_sync: refuse,
  gen_salt: refuse,
  gen_salt_sync: refuse,
  get_rounds: refuse,
};

Module._load = function loadBinding(request, ...rest) {
  const isMissing = request.endsWith("bcrypt_lib.node") && !existsSync(request);
  return isMissing ? BINDING : load.call(this, request, ...rest);
};
