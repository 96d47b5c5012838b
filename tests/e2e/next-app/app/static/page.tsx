export default function Page() {
  return <p>for everyone</p>;
}
