import { ProgressBar } from '../content/progress-bar';

interface StageStatusProps {
  readonly text: string;
  /** Of the progress bar. */
  readonly label: string;
  /** 0..1, or null while unknown. */
  readonly progress: number | null;
}

/** What is being done with the picture, in place of the panel. */
export function StageStatus({ text, label, progress }: StageStatusProps) {
  return (
    <div className="stage-panel stage-status">
      <p aria-live="polite" className="font-semibold tracking-tight text-balance lg:text-2xl">
        {text}
      </p>
      <ProgressBar label={label} value={progress} />
    </div>
  );
}
