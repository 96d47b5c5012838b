/** What the members' page does in a browser. */
import "./passkeys.ts";
import "./transfer.ts";
