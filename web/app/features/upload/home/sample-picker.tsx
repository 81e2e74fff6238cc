import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam } from '../../../http/internal-address';
import { SubmitForm, useIsSubmitting } from '../../../ui/controls/submit-form';
import { SAMPLE_NAMES, type SampleName } from '../shared/samples';

/** Sample pictures to try. */
export function SamplePicker() {
  const { t } = useTranslation('home');
  const { search } = useLocation();
  return (
    <section aria-labelledby="samples" className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-2">
      <h2 id="samples" className="text-[0.9375rem] font-medium">
        {t('samples.title')}
      </h2>
      <SubmitForm method="post" action={preserveVersionParam('/?index', search)} className="flex gap-3">
        {SAMPLE_NAMES.map((name) => (
          <Sample key={name} name={name} label={t(`samples.${name}`)} />
        ))}
      </SubmitForm>
    </section>
  );
}

function Sample({ name, label }: { readonly name: SampleName; readonly label: string }) {
  return (
    <button
      type="submit"
      name="sample"
      value={name}
      disabled={useIsSubmitting()}
      aria-label={label}
      className="group size-16 cursor-pointer overflow-hidden rounded-card bg-well shadow-soft transition enabled:hover:-translate-y-0.5 enabled:hover:shadow-float disabled:cursor-default disabled:opacity-60"
    >
      <img
        src={`/samples/${name}-small.jpg`}
        alt=""
        width={160}
        height={160}
        className="size-full object-cover transition group-enabled:group-hover:scale-105"
      />
    </button>
  );
}
