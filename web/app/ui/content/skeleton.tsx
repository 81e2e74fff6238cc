/** Needs a size. Not announced to screen readers. */
export function Skeleton({ className = '' }: { readonly className?: string }) {
  return <span aria-hidden className={`skeleton block rounded-control ${className}`} />;
}
