import { useTranslation } from 'react-i18next';
import type { ModalBodyProps } from '../modals/catalogue';
import { FEATURES, RANKS } from './questions';
import { Survey } from './survey-dialog';
import { SelectField } from './survey-fields';

export function FeatureRankingModal({ step, result = null, modal }: ModalBodyProps<'survey:features'>) {
  const { t } = useTranslation('surveys');
  const options = FEATURES.map((value) => ({ value, label: t(`features.options.${value}`) }));
  const texts = {
    title: t('features.title'),
    lead: t('features.lead'),
    decline: t('features.noThanks'),
    start: t('features.start'),
  };
  return (
    <Survey survey="feature_ranking" step={step} modal={modal} result={result} texts={texts}>
      {(field) =>
        RANKS.map((rank) => (
          <SelectField
            key={rank}
            field={field(rank)}
            label={t(`features.${rank}`)}
            empty={t('features.choose')}
            options={options}
            error={t('features.different')}
          />
        ))
      }
    </Survey>
  );
}
