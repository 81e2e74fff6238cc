import type { ReactNode } from 'react';

export function PriceLines({ children }: { readonly children: ReactNode }) {
  return <dl className="flex flex-col gap-3 border-line border-t pt-5">{children}</dl>;
}

interface PriceLineProps {
  readonly term: string;
  readonly isTotal?: boolean;
  readonly children: ReactNode;
}

export function PriceLine({ term, isTotal = false, children }: PriceLineProps) {
  return (
    <div className={`flex justify-between gap-6 ${isTotal ? 'border-line border-t pt-3 font-semibold' : 'text-muted'}`}>
      <dt className="text-pretty">{term}</dt>
      <dd className="text-end tabular-nums">{children}</dd>
    </div>
  );
}
