import {
  APPLICATION_TIMEOUT_MS,
  type ExtensionRunner,
  type FlowContext,
  withTimeout,
} from "@cardea/core/extension-host";
import type { Section, SectionPage } from "@cardea/core/extension-kit";
import { createRequestTools } from "./create-tools.ts";
import { extensionError, extensionsOf } from "./extensions-of.ts";

/** A section that fails is omitted; the page works without it. */
export async function collectSections(
  context: FlowContext,
  slot: Parameters<ExtensionRunner["sections"]>[1],
  page: SectionPage,
): Promise<readonly Section[]> {
  const sections: Section[] = [];
  for (const extension of extensionsOf(context.config)) {
    if (extension.section === undefined) continue;
    try {
      const made = extension.section(slot, createRequestTools(context, extension.id), page);
      const section = await withTimeout(APPLICATION_TIMEOUT_MS, made);
      if (section === null) continue;
      // Read here, so that a section that throws is omitted.
      const { title, main, name = extension.id, data = null } = section;
      sections.push({ main, name, data, ...(title === undefined ? {} : { title }) });
    } catch (error) {
      context.logger.error(extensionError(extension, "section", error));
    }
  }
  return sections;
}
