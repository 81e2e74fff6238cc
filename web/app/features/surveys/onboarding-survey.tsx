import { useTranslation } from 'react-i18next';
import type { ModalBodyProps } from '../modals/catalogue';
import { ONBOARDING_NAMES, ONBOARDING_QUESTIONS } from './questions';
import { Survey } from './survey-dialog';
import { SelectField } from './survey-fields';

export function OnboardingSurveyModal({ step, result = null, modal }: ModalBodyProps<'survey:onboarding'>) {
  const { t } = useTranslation('surveys');
  const texts = { title: t('onboarding.title'), lead: t('onboarding.lead'), decline: t('onboarding.skip') };
  return (
    <Survey survey="onboarding" step={step} modal={modal} result={result} texts={texts}>
      {(field) =>
        ONBOARDING_NAMES.map((name) => (
          <SelectField
            key={name}
            field={field(name)}
            label={t(`onboarding.${name}.question`)}
            empty={t('onboarding.choose')}
            options={ONBOARDING_QUESTIONS[name].map((value) => ({
              value,
              // The answers are those of the question.
              label: t(`onboarding.${name}.${value}` as 'onboarding.source.ad'),
            }))}
            error={t('onboarding.required')}
          />
        ))
      }
    </Survey>
  );
}
