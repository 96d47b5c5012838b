import { html, type Markup } from "@cardea/extend";

/** Quiet zone around the code: four modules (ISO/IEC 18004 §9.1). */
const BORDER = 4;

/** Renders a QR code as SVG, dark on light in every colour scheme. The encoder is loaded on first use. */
export async function renderQrCode(text: string, label: string): Promise<Markup> {
  const { encode } = await import("uqr");
  const { data, size } = encode(text, { ecc: "M", border: BORDER });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(size)} ${String(size)}" role="img" aria-label="${label}" width="220" height="220" shape-rendering="crispEdges"><rect width="${String(size)}" height="${String(size)}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}
