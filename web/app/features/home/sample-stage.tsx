import { useLocation } from '@remix-run/react';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { CompareSlider } from '../../ui/picture/compare-slider';
import { FILE_INPUT_ID, openFileChooser } from '../upload/file-input';

/** Sample pictures and their results, made by tests/samples; origin and license in public/samples/LICENCE.md. */
const SAMPLE_NAMES = ['astronaut', 'chelsea', 'coffee'] as const;
type SampleName = (typeof SAMPLE_NAMES)[number];

/** In pixels. */
const SAMPLE_SIZE = { width: 800, height: 1000 } as const;

const sampleIn = (search: string): SampleName => {
  const chosen = new URLSearchParams(search).get('sample');
  return SAMPLE_NAMES.find((name) => name === chosen) ?? 'astronaut';
};

/**
 * Links and button are below it, header, headline and cookie banner above; these are larger on tablets. On phones held
 * sideways the headline and the button are beside it.
 */
const ABOVE_FOLD =
  'max-sm:js:max-h-[max(9rem,100svh-27.5rem)] sm:max-lg:js:max-h-[max(9rem,100svh-37rem)] sideways:js:max-h-[max(9rem,100svh-12rem)]';

export function SampleStage({ className }: { readonly className: string }) {
  const { t } = useTranslation(['home', 'common']);
  const { search } = useLocation();
  const name = sampleIn(search);
  return (
    <div className={`flex flex-col gap-4 short:gap-3 sideways:gap-3 ${className}`}>
      <CompareSlider
        key={name}
        className={`shadow-float [--knob:82%] js:aspect-[5/4] lg:js:aspect-[4/5] ${ABOVE_FOLD}`}
        label={t('demo.label')}
        beforeLabel={t('common:before')}
        afterLabel={t('common:after')}
        before={<SamplePicture name={name} alt="" isImportant />}
        after={<SamplePicture name={`${name}-after`} alt={t(`samples.${name}.alt`)} isImportant />}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <ul aria-label={t('samples.title')} className="flex gap-3">
          {SAMPLE_NAMES.map((sample) => (
            <li key={sample}>
              <SampleLink name={sample} isShown={sample === name} />
            </li>
          ))}
        </ul>
        {/* Without JavaScript it leads to the file field. */}
        <a
          href={`#${FILE_INPUT_ID}`}
          onClick={chooseFile}
          className={`${buttonClass('quiet')} max-sm:js:hidden sideways:js:hidden`}
        >
          {t('samples.try')}
        </a>
      </div>
    </div>
  );
}

function chooseFile(event: MouseEvent): void {
  event.preventDefault();
  openFileChooser();
}

interface SamplePictureProps {
  readonly name: SampleName | `${SampleName}-after`;
  readonly alt: string;
  readonly isImportant?: boolean;
}

function SamplePicture({ name, alt, isImportant = false }: SamplePictureProps) {
  return (
    <picture>
      <source srcSet={`/samples/${name}.avif`} type="image/avif" />
      <img src={`/samples/${name}.jpg`} alt={alt} {...SAMPLE_SIZE} {...(isImportant && { fetchPriority: 'high' })} />
    </picture>
  );
}

function SampleLink({ name, isShown }: { readonly name: SampleName; readonly isShown: boolean }) {
  const { t } = useTranslation('home');
  const [isWanted, setWanted] = useState(false);
  const preload = () => setWanted(true);
  return (
    <AppLink
      to={`/?sample=${name}`}
      replace
      preventScrollReset
      aria-label={t(`samples.${name}.label`)}
      aria-current={isShown || undefined}
      onPointerEnter={preload}
      onFocus={preload}
      className="block size-14 short:size-11 overflow-hidden rounded-card bg-well shadow-soft transition hover:-translate-y-0.5 hover:shadow-float aria-current:ring-3 aria-current:ring-accent sm:size-16 sideways:size-11"
    >
      <img src={`/samples/${name}-small.jpg`} alt="" width={160} height={160} className="size-full object-cover" />
      {isWanted && !isShown && (
        <span hidden>
          <SamplePicture name={name} alt="" />
          <SamplePicture name={`${name}-after`} alt="" />
        </span>
      )}
    </AppLink>
  );
}
