import { useTranslation } from 'react-i18next';
import { resultAddress, versionAddress } from '../../session/task-addresses';
import { Badge } from '../../ui/content/badge';
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
