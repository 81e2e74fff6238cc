export function withoutProblem(path: string, search: string): string {
  const query = new URLSearchParams(search);
  query.delete('problem');
  return `${path}?${query}`;
}
