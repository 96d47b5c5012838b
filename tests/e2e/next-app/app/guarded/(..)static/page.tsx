/** Takes the place of /static for a request that says it comes from /guarded. */
export default function Page() {
  return <p>SECRET</p>;
}
