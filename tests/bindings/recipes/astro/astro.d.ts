// What the recipe uses of the types of Astro 5: astro itself brings its own compiler and server.
declare module "astro" {
  interface APIContext {
    readonly request: Request;
    readonly isPrerendered: boolean;
    readonly locals: { session: import("@cardea/core").Session | null };
  }
  export type APIRoute = (context: APIContext) => Response | Promise<Response>;
  export type MiddlewareHandler = (context: APIContext, next: () => Promise<Response>) => Response | Promise<Response>;
}
