import { intervalNameOf, intervalOf, type Period } from '@clearframe/contract';
import { useTranslation } from 'react-i18next';

/** Texts for the interval of a plan's price. */
export function useInterval() {
  const { t } = useTranslation('tiers');
  /** Within a sentence: 'every 4 weeks'. */
  const every = (period: Period): string => t('every', { ...intervalOf(period) });
  /** Alone: 'Lunar, 4 weeks'. */
  const nameOf = (period: Period): string => {
    const name = intervalNameOf(intervalOf(period));
    return name === null ? every(period) : t(`intervals.${name}`);
  };
  return { every, nameOf };
}
