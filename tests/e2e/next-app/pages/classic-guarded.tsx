import type { GetServerSideProps } from "next";

export const getServerSideProps: GetServerSideProps<{ text: string }> = async () => ({ props: { text: "SECRET" } });

export default function Page({ text }: { readonly text: string }) {
  return <p>{text}</p>;
}
