import type { ReactNode } from 'react';
import { ProgressBar } from '../content/progress-bar';

interface StageStatusProps {
  readonly text: string;
  readonly label: string;
  readonly progress: number | null;
  readonly children?: ReactNode;
}

export function StageStatus({ text, label, progress, children }: StageStatusProps) {
  return (
    <div className="stage-panel stage-status">
      <p aria-live="polite" className="font-semibold tracking-tight text-balance lg:text-2xl">
        {text}
      </p>
      <ProgressBar label={label} value={progress} />
      {children && <div className="flex flex-col gap-2 text-sm text-pretty text-muted">{children}</div>}
    </div>
  );
}
