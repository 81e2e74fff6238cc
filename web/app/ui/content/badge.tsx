import type { ReactNode } from 'react';

type BadgeVariant = 'soon' | 'pro' | 'new' | 'new-animated' | 'large' | 'business' | 'beta' | 'problem';

const SMALL = 'px-2 text-badge';

const CLASSES: Readonly<Record<BadgeVariant, string>> = {
  soon: `${SMALL} bg-raised-strong text-muted`,
  pro: `${SMALL} bg-ink text-ground`,
  new: `${SMALL} bg-accent text-on-accent`,
  'new-animated': `${SMALL} badge-gleam bg-accent text-on-accent`,
  large: 'px-3.5 py-1 text-sm bg-accent-soft text-accent-ink',
  business: `${SMALL} bg-accent-soft text-accent-ink`,
  problem: `${SMALL} bg-alert text-on-alert`,
  beta: `${SMALL} text-accent-ink inset-ring inset-ring-current`,
};

interface BadgeProps {
  readonly variant: BadgeVariant;
  readonly children: ReactNode;
}

export function Badge({ variant, children }: BadgeProps) {
  return (
    <span
      data-variant={variant}
      className={`relative inline-flex shrink-0 items-center overflow-hidden rounded-full font-semibold whitespace-nowrap ${CLASSES[variant]}`}
    >
      {children}
    </span>
  );
}
