/** Stands where something will be, in its shape: give it a size. Announce the wait where the content goes. */
export function Skeleton({ className = '' }: { readonly className?: string }) {
  return <span aria-hidden className={`skeleton block rounded-control ${className}`} />;
}
