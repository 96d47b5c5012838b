import type { GetServerSideProps } from "next";
import { auth, lazy } from "@/lib/auth";
import type { Mine } from "@/lib/config";

interface Props {
  readonly session: Mine | null;
  readonly lazily: string | null;
}

export const getServerSideProps: GetServerSideProps<Props> = async (context) => ({
  props: { session: await auth(context), lazily: (await lazy.auth(context))?.seenPath ?? null },
});

export default function Page({ session, lazily }: Props) {
  return <p>{`session=${JSON.stringify(session)};lazily=${lazily}`}</p>;
}
