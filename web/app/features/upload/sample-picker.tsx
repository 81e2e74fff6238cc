import { Form, useNavigation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { SAMPLE_NAMES } from './samples';

/** Pictures to try without one of one's own. */
export function SamplePicker() {
  const { t } = useTranslation('home');
  const isSending = useNavigation().state !== 'idle';
  return (
    <section aria-labelledby="samples" className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-2">
      <h2 id="samples" className="text-[0.9375rem] font-medium">
        {t('samples.title')}
      </h2>
      <Form method="post" action="/?index" className="flex gap-3">
        {SAMPLE_NAMES.map((name) => (
          <button
            key={name}
            type="submit"
            name="sample"
            value={name}
            disabled={isSending}
            aria-label={t(`samples.${name}`)}
            className="group size-16 cursor-pointer overflow-hidden rounded-2xl bg-well shadow-soft transition hover:-translate-y-0.5 hover:shadow-float disabled:opacity-60"
          >
            <img
              src={`/samples/${name}-small.jpg`}
              alt=""
              width={160}
              height={160}
              className="size-full object-cover transition group-hover:scale-105"
            />
          </button>
        ))}
      </Form>
    </section>
  );
}
