/** User interaction: shows the sign-in page, and reports the user's answer to the provider. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { InteractionResults } from "oidc-provider";
import type { ProviderModule } from "./load.ts";
import { contentSecurityPolicy, renderChooser, renderConsent, renderMessage, type SignInPage } from "./pages.ts";
import type { People, Persona } from "./people.ts";

/** The provider of npm `oidc-provider`. */
export type Provider = InstanceType<ProviderModule["default"]>;
type Interaction = Awaited<ReturnType<Provider["interactionDetails"]>>;

/** Maximum size of a form in bytes; more than any of ours. */
const BODY_LIMIT = 16 * 1024;

interface Turn {
  readonly provider: Provider;
  readonly people: People;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly interaction: Interaction;
  /** The user that this browser remembers. */
  readonly remembered: Persona | undefined;
}

function sendPage(response: ServerResponse, status: number, page: string, formTargets: readonly string[]): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": contentSecurityPolicy(formTargets),
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  });
  response.end(page);
}

function paramOf({ params }: Interaction, name: string): string {
  const value = params[name];
  return typeof value === "string" ? value : "";
}

async function describePage({ provider, interaction }: Turn): Promise<SignInPage> {
  const clientId = paramOf(interaction, "client_id");
  const client = await provider.Client.find(clientId);
  return { client: client?.clientName ?? clientId, scopes: paramOf(interaction, "scope").split(" ") };
}

/**
 * Allowed targets of the form: this provider, and the application it redirects to. In development that may redirect to a page at
 * another port of its host.
 */
function formTargets(interaction: Interaction): readonly string[] {
  const redirectUri = paramOf(interaction, "redirect_uri");
  if (!URL.canParse(redirectUri)) return [];
  const { origin, protocol, hostname } = new URL(redirectUri);
  return protocol === "http:" ? [origin, `http://${hostname}:*`] : [origin];
}

async function askWho(turn: Turn, status: number, problem?: string): Promise<void> {
  const { people, interaction, remembered } = turn;
  const hint = paramOf(interaction, "login_hint");
  const hinted = hint === "" ? undefined : people.findByLogin(hint);
  const page = renderChooser({
    ...(await describePage(turn)),
    people: people.listed,
    chosen: (hinted ?? remembered ?? people.listed[0])?.sub,
    typed: hinted === undefined ? hint : "",
    problem,
  });
  sendPage(turn.response, status, page, formTargets(interaction));
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) {
    body += String(chunk);
    if (body.length > BODY_LIMIT) throw new Error("The submitted form is too large.");
  }
  return new URLSearchParams(body);
}

/** The user in the form: a typed login takes precedence over a chosen account. */
function readPerson({ people }: Turn, form: URLSearchParams): Persona | undefined {
  const typed = form.get("other")?.trim() ?? "";
  return typed === "" ? people.find(form.get("login") ?? undefined) : people.findOrAdd(typed);
}

/** Grants everything that the application requested, which the page listed. */
async function grantScopes({ provider, interaction }: Turn, accountId: string): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId: paramOf(interaction, "client_id") });
  grant.addOIDCScope(paramOf(interaction, "scope"));
  return grant.save();
}

async function finish({ provider, request, response }: Turn, result: InteractionResults): Promise<void> {
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** Whether the page only asks a remembered user for consent. */
function isConsentOnly({ interaction, remembered }: Turn, isChoosing: boolean): boolean {
  return interaction.prompt.name === "consent" && remembered !== undefined && !isChoosing;
}

async function answer(turn: Turn, isChoosing: boolean): Promise<void> {
  const form = await readForm(turn.request);
  const action = form.get("action");
  if (action === "cancel") {
    return finish(turn, { error: "access_denied", error_description: "The user cancelled the sign-in" });
  }
  if (action === "switch") {
    turn.response.writeHead(303, { location: "?choose=1", "cache-control": "no-store" }).end();
    return;
  }
  const isKnown = isConsentOnly(turn, isChoosing) && !form.has("login");
  const person = isKnown ? turn.remembered : readPerson(turn, form);
  if (person === undefined) return askWho(turn, 400, "Choose an account or type a login.");
  const consent = { grantId: await grantScopes(turn, person.sub) };
  return finish(turn, isKnown ? { consent } : { login: { accountId: person.sub }, consent, select_account: {} });
}

async function show(turn: Turn, isChoosing: boolean): Promise<void> {
  const { remembered, interaction } = turn;
  if (remembered === undefined || !isConsentOnly(turn, isChoosing)) return askWho(turn, 200);
  const page = renderConsent({ ...(await describePage(turn)), person: remembered });
  sendPage(turn.response, 200, page, formTargets(interaction));
}

/**
 * Handles a request below `/interaction/`. If the sign-in has ended or was started in another browser, a page explains that.
 * Never rejects.
 */
export async function interact(
  provider: Provider,
  people: People,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const interaction = await provider.interactionDetails(request, response);
    const remembered = people.find(interaction.session?.accountId);
    const turn: Turn = { provider, people, request, response, interaction, remembered };
    const isChoosing = request.url?.endsWith("?choose=1") === true;
    await (request.method === "POST" ? answer(turn, isChoosing) : show(turn, isChoosing));
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    const text = `Go back to the application and start again. (${String(error)})`;
    sendPage(response, 400, renderMessage("This sign-in is over", text), []);
  }
}
