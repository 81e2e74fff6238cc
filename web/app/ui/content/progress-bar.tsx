interface ProgressBarProps {
  readonly label: string;
  /** 0..1, or null while unknown. */
  readonly value: number | null;
}

export function ProgressBar({ label, value }: ProgressBarProps) {
  return <progress className="progress" aria-label={label} max={1} {...(value === null ? {} : { value })} />;
}
