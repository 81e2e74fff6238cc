interface SpinnerProps {
  /** Announced to screen readers; null inside of elements that announce it themselves. */
  readonly label: string | null;
  readonly size?: number;
  readonly className?: string;
}

/** Spec 2, section 2. */
const DEFAULT_SIZE = 80;

export function Spinner({ label, size = DEFAULT_SIZE, className = '' }: SpinnerProps) {
  return (
    <span role={label === null ? undefined : 'status'} className={`inline-flex ${className}`}>
      <svg viewBox="0 0 40 40" width={size} height={size} aria-hidden="true" className="spinner">
        <circle cx="20" cy="20" r="16" pathLength="100" className="spinner-track" />
        <circle cx="20" cy="20" r="16" pathLength="100" className="spinner-arc" />
      </svg>
      {label !== null && <span className="sr-only">{label}</span>}
    </span>
  );
}

/** Needs a size. Not announced to screen readers. */
export function Skeleton({ className = '' }: { readonly className?: string }) {
  return <span aria-hidden className={`skeleton block rounded-control ${className}`} />;
}

interface ProgressBarProps {
  readonly label: string;
  /** 0..1, or null while unknown. */
  readonly value: number | null;
}

export function ProgressBar({ label, value }: ProgressBarProps) {
  return <progress className="progress" aria-label={label} max={1} {...(value === null ? {} : { value })} />;
}
