/** Around the Pages Router, with `i18n` and `trailingSlash`. */
import { describeOpenPaths } from "./open-paths.ts";

describeOpenPaths("open-pages", "", ["/", "/login/", "/about/"]);
