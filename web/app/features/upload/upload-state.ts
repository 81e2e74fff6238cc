import type { ComponentType } from 'react';
import type { ProblemView } from '../../http/problem';
import type { UploadPhase } from '../transfers/transfers';

export type UploadState =
  | {
      readonly kind: 'idle';
      readonly problem: ProblemView | null;
      /** Files to try again after an error that isn't about the files themselves. */
      readonly files: readonly File[];
    }
  /** Waits for the network to load the code of uploads. */
  | { readonly kind: 'offline' }
  | BusyState;

interface BusyState {
  readonly kind: 'busy';
  readonly phase: UploadPhase;
  /** Fraction of the bytes sent, 0..1. */
  readonly progress: number;
  readonly preview: string;
  readonly fileName: string;
  readonly isVideo: boolean;
  /** Id of the task, if pausing keeps what was sent. */
  readonly pausableId: string | null;
  /** Part of the code that is loaded with the first file. */
  readonly View: ComponentType<UploadProgressProps>;
}

export interface UploadProgressProps {
  readonly upload: BusyState;
  readonly onCancel: () => void;
}

export const IDLE: UploadState = { kind: 'idle', problem: null, files: [] };

/** Makes the browser ask before the page is closed or reloaded. */
export const confirmLeave = (event: BeforeUnloadEvent): void => event.preventDefault();
