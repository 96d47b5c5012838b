import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Header } from "@/components/header";
import "./globals.css";

export const metadata: Metadata = { title: { default: "The Blue Room", template: "%s · The Blue Room" } };

export default function RootLayout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <Header />
        <main id="main">{children}</main>
        <footer>
          An example of Cardea for Next.js. It runs on your machine, and so does the provider it signs you in with.
        </footer>
      </body>
    </html>
  );
}
