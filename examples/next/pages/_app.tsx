import type { AppProps } from "next/app";
import Head from "next/head";
import { Brand } from "@/components/brand";
import "@/app/globals.css";

export default function App({ Component, pageProps }: AppProps) {
  return (
    <>
      <Head>
        <title>Classic · The Blue Room</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      </Head>
      <header>
        <Brand />
      </header>
      <main id="main">
        <Component {...pageProps} />
      </main>
      <footer>
        An example of Cardea for Next.js. It runs on your machine, and so does the provider it signs you in with.
      </footer>
    </>
  );
}
