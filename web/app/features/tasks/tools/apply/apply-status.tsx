import { useTranslation } from 'react-i18next';
import { Notice } from '../../../../ui/content/notice';
import { ProgressBar } from '../../../../ui/content/progress-bar';
import { Button } from '../../../../ui/controls/button';
import type { ApplyProblem } from './apply-requests';
import type { ApplyState } from './use-apply';

interface ApplyStatusProps {
  readonly state: ApplyState;
  /** Whether a change waits to be applied. */
  readonly hasPendingChange: boolean;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
  readonly onDiscard: () => void;
}

/** Progress of the run, or why a change isn't applied. */
export function ApplyStatus({ state, hasPendingChange, onCancel, onRetry, onDiscard }: ApplyStatusProps) {
  const { t } = useTranslation(['result', 'common']);
  return (
    <>
      <p role="status" className="sr-only">
        {state.kind === 'running' ? t('panel.starting') : ''}
      </p>
      {state.kind === 'running' && (
        <div className="sticky top-2 z-10 flex items-center gap-3 rounded-2xl bg-raised-strong px-4 py-3 shadow-float">
          <div className="flex min-w-0 flex-1 flex-col gap-2">
            <p className="text-sm font-medium">
              {state.progress === null ? t('panel.starting') : t('panel.applying', { progress: state.progress })}
            </p>
            <ProgressBar label={t('panel.progress')} value={state.progress} />
          </div>
          <Button kind="quiet" size="small" className="nojs:hidden" onClick={onCancel}>
            {t('common:cancel')}
          </Button>
        </div>
      )}
      {state.kind === 'refused' && (
        <Notice>
          <ProblemText problem={state.problem} />
          {hasPendingChange && (
            <div className="flex flex-wrap gap-2 pt-2">
              <Button kind="quiet" size="small" onClick={onRetry}>
                {t('common:tryAgain')}
              </Button>
              <Button kind="ghost" size="small" onClick={onDiscard}>
                {t('panel.discard')}
              </Button>
            </div>
          )}
        </Notice>
      )}
    </>
  );
}

export function ProblemText({ problem }: { readonly problem: ApplyProblem }) {
  const { t } = useTranslation(['result', 'common']);
  if (problem === 'unreachable') return t(navigator.onLine ? 'common:errors.service.unavailable' : 'panel.offline');
  if (problem.code === 'tasks.wrong_state') return t('panel.running');
  return t(`common:errors.${problem.code}`);
}
