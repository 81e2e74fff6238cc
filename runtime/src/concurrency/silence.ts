/** A process that was stopped, or got no processor, makes no checks meanwhile. */
const CHECKS = 10;

export interface SilenceWatch {
  progressed(): void;
  stop(): void;
}

/**
 * Calls `onSilence` once nothing has progressed for a time. Total time is not limited, and the time is counted in
 * checks: on a starved machine, work that advances slowly is not taken for stuck.
 */
export function watchSilence(limitMs: number, onSilence: () => void): SilenceWatch {
  let silentChecks = 0;
  const check = () => {
    silentChecks += 1;
    if (silentChecks >= CHECKS) onSilence();
    else timer = setTimeout(check, limitMs / CHECKS);
  };
  let timer = setTimeout(check, limitMs / CHECKS);
  return {
    progressed: () => {
      silentChecks = 0;
    },
    stop: () => clearTimeout(timer),
  };
}
