import { singleFileBuild } from "../../scripts/single-file-build.mjs";

export default singleFileBuild({ entry: { index: "src/index.ts" } });
