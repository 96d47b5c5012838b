/** The providers of the guides: the tests make sessions without them. */
import type { Provider } from "@cardea/core/providers";

export const providers: Provider[] = [];
