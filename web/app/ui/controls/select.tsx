import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ComponentPropsWithoutRef } from 'react';

export function Select({ className = '', ...rest }: ComponentPropsWithoutRef<'select'>) {
  return (
    <span className={`relative block min-w-0 ${className}`}>
      <select className="field w-full appearance-none truncate pe-10 text-[0.9375rem] disabled:opacity-50" {...rest} />
      <ChevronDown aria-hidden className="pointer-events-none absolute inset-y-0 end-3.5 my-auto size-4 text-muted" />
    </span>
  );
}
