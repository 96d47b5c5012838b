import { singleFileBuild } from "../../scripts/single-file-build.ts";

export default singleFileBuild({ entry: { index: "src/index.ts" } });
