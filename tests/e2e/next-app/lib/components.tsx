import { auth } from "./auth";
import { Forms } from "./forms";

/** Three components that ask, one of them twice. */
export async function Components() {
  return (
    <>
      <Asking />
      <Asking />
      <Asking />
      <Forms />
    </>
  );
}

async function Asking() {
  const [session, again] = await Promise.all([auth(), auth()]);
  return <p>{`session=${JSON.stringify(session)};same=${session === again}`}</p>;
}
