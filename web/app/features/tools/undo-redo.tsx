import Redo2 from 'lucide-react/icons/redo-2';
import Undo2 from 'lucide-react/icons/undo-2';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { versionAddress } from '../../session/task-addresses';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import type { ResultView, ToolsView } from './tools-view';

interface UndoRedoProps {
  readonly taskId: string;
  readonly view: Pick<ToolsView, 'results' | 'shownId'>;
}

export function UndoRedo({ taskId, view: { results, shownId } }: UndoRedoProps) {
  const { t } = useTranslation('result');
  const index = results.findIndex(({ id }) => id === shownId);
  if (results.length < 2 || index < 0) return null;
  return (
    <div className="flex">
      <Step taskId={taskId} to={results[index + 1]} label={t('panel.results.undo')}>
        <Undo2 aria-hidden className="size-5 rtl:-scale-x-100" />
      </Step>
      <Step taskId={taskId} to={results[index - 1]} label={t('panel.results.redo')}>
        <Redo2 aria-hidden className="size-5 rtl:-scale-x-100" />
      </Step>
    </div>
  );
}

interface StepProps {
  readonly taskId: string;
  readonly to: ResultView | undefined;
  readonly label: string;
  readonly children: ReactNode;
}

function Step({ taskId, to, label, children }: StepProps) {
  const className = buttonClass('ghost', 'icon');
  if (!to)
    return (
      <span aria-hidden className={`${className} pointer-events-none opacity-40`}>
        {children}
      </span>
    );
  return (
    <AppLink
      to={versionAddress(taskId, to.id)}
      replace
      preventScrollReset
      className={className}
      aria-label={label}
      title={label}
    >
      {children}
    </AppLink>
  );
}
