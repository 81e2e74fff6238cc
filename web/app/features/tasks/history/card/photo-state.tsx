import { useTranslation } from 'react-i18next';
import { ProgressBar } from '../../../../ui/content/progress-bar';
import type { TaskView } from '../../task/task-view';

/** What happens to a photo without a result. */
export function PhotoState({ state, name }: Pick<TaskView, 'state'> & { readonly name: string }) {
  const { t } = useTranslation('account');
  if (state.kind === 'done') return null;
  const hasFailed = state.kind === 'failed' || state.kind === 'invalid';
  const text =
    state.kind === 'working'
      ? t('history.states.working', { progress: state.progress })
      : t(`history.states.${state.kind}`);
  return (
    <div className="absolute inset-x-2.5 bottom-2.5 flex flex-col items-start gap-2">
      <span
        className={`max-w-full rounded-full px-3 py-1 text-sm font-medium ${
          hasFailed ? 'bg-alert text-on-alert' : 'bg-raised text-ink shadow-soft'
        }`}
      >
        {text}
      </span>
      {state.kind === 'working' && <ProgressBar label={name} value={state.progress} />}
    </div>
  );
}
