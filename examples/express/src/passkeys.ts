import { type Html, html } from "./html.ts";
import type { StoredPasskey } from "./members.ts";

/** A member's passkeys, and the button that adds one; the button needs its script. */
export function renderPasskeys(passkeys: readonly StoredPasskey[]): Html {
  return html`<section class="card wide" aria-labelledby="passkeys">
<h2 id="passkeys">Passkeys</h2>
${passkeys.length === 0 ? html`<p>You have no passkeys yet. A passkey lets you sign in with your fingerprint, face or security key.</p>` : html`<p>You can sign in with any of them, without a password.</p>`}
<ul class="accounts">${passkeys.map(renderPasskey)}</ul>
<p class="problem" role="alert" hidden></p>
<p class="actions"><button class="button" id="add-passkey" type="button" hidden>Add a passkey</button></p>
<noscript><p>Adding a passkey requires JavaScript.</p></noscript>
</section>`;
}

/** What tells one from another: the name that its provider has, or that was chosen on the account page. */
function renderPasskey({ name, credentialID, credentialBackedUp, transports }: StoredPasskey): Html {
  const isSecurityKey = transports?.split(",").includes("usb") === true;
  return html`<li><span>${name ?? (isSecurityKey ? "Security key" : "Passkey")} <code>${credentialID.slice(0, 8)}…</code></span><span class="state${credentialBackedUp && " on"}">${credentialBackedUp ? "Backed up" : "On one device"}</span></li>`;
}
