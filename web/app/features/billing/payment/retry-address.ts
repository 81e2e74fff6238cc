/** The page of a payment with the same choices, as before it failed. */
export function withoutProblem(path: string, search: string): string {
  const query = new URLSearchParams(search);
  query.delete('problem');
  return `${path}?${query}`;
}
