import Redo2 from 'lucide-react/icons/redo-2';
import Undo2 from 'lucide-react/icons/undo-2';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { resultAddress, versionAddress } from '../../session/task-addresses';
import { Badge } from '../../ui/content/badge';
import { buttonClass } from '../../ui/controls/button';
import { AppLink, TEXT_LINK } from '../../ui/page/app-link';
import type { ResultView, ToolsView } from './tools-view';

interface ResultsStripProps {
  readonly taskId: string;
  readonly view: ToolsView;
}

export function ResultsStrip({ taskId, view: { results, shownId, comparedId } }: ResultsStripProps) {
  const { t } = useTranslation('result');
  if (results.length < 2) return null;
  return (
    <nav aria-label={t('panel.results.title')} className="flex flex-col gap-2">
      <h2 className="font-medium">{t('panel.results.title')}</h2>
      <ul className="-mx-1 flex gap-2 overflow-x-auto p-1">
        {results.map((result) => (
          <li key={result.id} className="flex w-20 shrink-0 flex-col items-center gap-1">
            <Version taskId={taskId} result={result} isShown={result.id === shownId} />
            {result.id !== shownId && result.id !== comparedId && (
              <AppLink
                to={resultAddress(taskId, { outputId: shownId, compareId: result.id })}
                replace
                preventScrollReset
                className={`${TEXT_LINK} py-1 text-caption`}
              >
                {t('panel.results.compare')}{' '}
                <span className="sr-only">{t('panel.results.version', { number: result.number })}</span>
              </AppLink>
            )}
          </li>
        ))}
      </ul>
      {comparedId !== null && (
        <AppLink
          to={versionAddress(taskId, shownId)}
          replace
          preventScrollReset
          className={`${TEXT_LINK} self-start py-1 text-sm`}
        >
          {t('panel.results.compareOriginal')}
        </AppLink>
      )}
    </nav>
  );
}

interface VersionProps {
  readonly taskId: string;
  readonly result: ResultView;
  readonly isShown: boolean;
}

function Version({ taskId, result, isShown }: VersionProps) {
  const { t } = useTranslation('result');
  return (
    <AppLink
      to={versionAddress(taskId, result.id)}
      replace
      preventScrollReset
      aria-current={isShown ? 'true' : undefined}
      className="version"
    >
      {result.thumbnailUrl ? (
        <img src={result.thumbnailUrl} alt="" loading="lazy" className="filter-picture object-cover" />
      ) : (
        <span className="filter-picture" />
      )}
      <span className="text-center text-caption">{t('panel.results.version', { number: result.number })}</span>
      {result.isPreview && <Badge variant="beta">{t('panel.preview.badge')}</Badge>}
    </AppLink>
  );
}

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
