import RotateCw from 'lucide-react/icons/rotate-cw';
import Trash2 from 'lucide-react/icons/trash';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../../ui/controls/button';
import { AppLink } from '../../../ui/page/app-link';
import { ModalLink } from '../../modals/modal-link';
import { usePolling } from '../processing/use-polling';
import type { TaskView } from '../task/task-view';
import { useTask } from '../task/use-task';
import type { HistoryItem } from './history-view';
import { Thumbnail } from './thumbnail';

const isRunning = ({ state }: TaskView): boolean => state.kind === 'waiting' || state.kind === 'working';

/** A photo of the list; polls its task while that is running. */
export function HistoryCard({ item }: { readonly item: HistoryItem }) {
  return isRunning(item.task) ? <RunningCard item={item} /> : <Card item={item} />;
}

function RunningCard({ item }: { readonly item: HistoryItem }) {
  const { task, refresh } = useTask(item.task);
  usePolling(refresh, isRunning(task));
  return <Card item={{ ...item, task }} />;
}

function Card({ item }: { readonly item: HistoryItem }) {
  const { t } = useTranslation(['account', 'common']);
  const { task, deletion } = item;
  const { taskId, state, display } = task;
  const name = task.fileName ?? t('history.nameless');
  const address = state.kind === 'done' ? `/result?taskId=${taskId}` : `/processing?taskId=${taskId}`;
  return (
    <li className="group relative flex min-w-0 flex-col gap-2.5">
      <div className="relative aspect-square overflow-hidden rounded-card bg-well shadow-soft transition group-hover:shadow-float">
        <Thumbnail
          key={`${state.kind}:${display.thumbnailUrl === null}`}
          src={display.thumbnailUrl}
          isDim={state.kind !== 'done'}
        />
        <StateLabel state={state} />
      </div>
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <p className="flex font-medium">
            <AppLink to={address} title={name} className="min-w-0 after:absolute after:inset-0 after:rounded-card">
              <bdi className="block truncate">{name}</bdi>
            </AppLink>
          </p>
          <p className="text-caption text-muted">
            <time dateTime={item.createdAt}>{item.createdAgo}</time>
          </p>
          <p className="text-caption text-muted">
            <time dateTime={deletion.iso}>{t('history.deletedOn', { date: deletion.text })}</time>
          </p>
        </div>
        <ModalLink
          modal="history:delete"
          with={{ taskIds: [taskId] }}
          label={t('history.deleteOne', { name })}
          className="relative z-1 -me-2 grid size-11 shrink-0 place-items-center rounded-full text-muted transition hover:bg-quiet hover:text-ink"
        >
          <Trash2 aria-hidden className="size-4.5" />
        </ModalLink>
      </div>
      {state.kind === 'failed' && (
        <button
          type="submit"
          name="intent"
          value="retry"
          formMethod="post"
          formAction={`/processing?taskId=${taskId}`}
          className={`${buttonClass('quiet', 'small')} relative z-1 min-h-11 self-start text-start`}
        >
          <RotateCw aria-hidden className="size-4" />
          {t('common:tryAgain')}
          <span className="sr-only">{name}</span>
        </button>
      )}
      <label className="absolute end-1 top-1 z-1 grid size-11 cursor-pointer place-items-center">
        <span className="grid size-8 place-items-center rounded-full bg-raised/85 shadow-soft">
          <input
            type="checkbox"
            name="taskId"
            value={taskId}
            aria-label={t('history.choose', { name })}
            className="size-4.5 cursor-pointer accent-(--accent)"
          />
        </span>
      </label>
    </li>
  );
}

function StateLabel({ state }: Pick<TaskView, 'state'>) {
  const { t } = useTranslation('account');
  if (state.kind === 'done') return null;
  const hasFailed = state.kind === 'failed' || state.kind === 'invalid';
  const text =
    state.kind === 'working'
      ? t('history.states.working', { progress: state.progress })
      : t(`history.states.${state.kind}`);
  return (
    <span
      className={`absolute start-2.5 bottom-2.5 max-w-[calc(100%-1.25rem)] rounded-full px-3 py-1 text-sm font-medium ${
        hasFailed ? 'bg-alert text-on-alert' : 'bg-raised text-ink shadow-soft'
      }`}
    >
      {text}
    </span>
  );
}
