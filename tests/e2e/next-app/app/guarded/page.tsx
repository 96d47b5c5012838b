export default function Page() {
  return <p>SECRET</p>;
}
