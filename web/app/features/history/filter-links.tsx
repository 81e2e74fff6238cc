import { useTranslation } from 'react-i18next';
import { AppLink } from '../../ui/page/app-link';
import { useScrollRow } from '../../ui/page/use-scroll-row';
import { FILTERS, type HistoryFilter, historyAddress } from './filters';

const LINK =
  'flex min-h-11 shrink-0 items-center rounded-full px-4 text-sm font-medium text-muted transition hover:text-ink aria-[current]:bg-quiet aria-[current]:text-ink forced-colors:aria-[current]:border';

export function FilterLinks({ filter }: { readonly filter: HistoryFilter }) {
  const { t } = useTranslation('account');
  const row = useScrollRow<HTMLElement>(FILTERS.indexOf(filter));
  return (
    <nav ref={row} aria-label={t('history.filters.label')} className="scroll-row">
      {FILTERS.map((name) => (
        <AppLink
          key={name}
          to={historyAddress(name)}
          className={LINK}
          {...(name === filter ? { 'aria-current': 'page' } : {})}
        >
          {t(`history.filters.${name}`)}
        </AppLink>
      ))}
    </nav>
  );
}
