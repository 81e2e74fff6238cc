import { useTranslation } from 'react-i18next';
import type { Presentation } from './offers';

/** Translated variants of the label experiments. */
const VARIANTS = ['start', 'continue', 'unlock'] as const;

export function usePriceLabels({ trialLabel, payNowLabel }: Pick<Presentation, 'trialLabel' | 'payNowLabel'>) {
  const { t } = useTranslation('tiers');
  const labelOf = (group: 'trialLabels' | 'payNowLabels', label: string): string => {
    const variant = VARIANTS.find((name) => name === label);
    return variant ? t(`${group}.${variant}`) : label;
  };
  return {
    trial: trialLabel === null ? t('try') : labelOf('trialLabels', trialLabel),
    /** @param usual without an experiment */
    payNow: (usual: string): string => (payNowLabel === null ? usual : labelOf('payNowLabels', payNowLabel)),
  };
}
