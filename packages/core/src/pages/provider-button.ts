import type { PageFrame, SignInOption } from "../model/result.ts";
import { parseColor, type Rgb, readableOn, toHex } from "./color.ts";
import { type Html, html } from "./html.ts";
import { type FormTarget, renderForm } from "./layout.ts";
import { parseImage } from "./safe-url.ts";
import { initialOf } from "./texts.ts";

type RedirectOption = Extract<SignInOption, { kind: "redirect" }>;

/** Where a button stands. */
interface Place {
  readonly page: Omit<FormTarget, "action">;
  readonly frame: PageFrame;
  readonly label: Html;
  /** Position among the buttons of the page. */
  readonly index: number;
  /** Beside the label. */
  readonly badge?: Html | null;
}

/** The button of a provider: its logo, else its initial, and all in one style. */
export function renderProviderButton(option: RedirectOption, { page, frame, label, index, badge = null }: Place): Html {
  const logo = parseImage(option.style.logo, frame.host);
  const image = logo === null ? renderInitial(option.name, index) : html`<img src="${logo}" alt="">`;
  return renderForm(
    { ...page, action: option.action },
    html`<button class="button provider">${image}<span>${label}${badge}</span></button>`,
  );
}

/** The label contains the name, so the letter is drawn by the style sheet: the text of the button is its label. */
function renderInitial(name: string, index: number): Html | null {
  const letter = initialOf(name);
  return letter === null ? null : html`<span class="tile p${String(index)}" data-initial="${letter}"></span>`;
}

/** The colours of the initials, with the classes `p0`, `p1`, …; the text is legible on its background. */
export function renderInitialStyles(options: readonly RedirectOption[]): string {
  return options
    .map(({ style }, index) => {
      const background = rgbOf(style.bg) ?? rgbOf(style.brandColor);
      if (background === null) return "";
      return `.p${index}{--face:${toHex(background)};--text:${toHex(readableOn(background, rgbOf(style.text)))}}`;
    })
    .join("");
}

function rgbOf(value: unknown): Rgb | null {
  const color = parseColor(value);
  return color?.kind === "rgb" ? color.rgb : null;
}
