import { useFetcher } from '@remix-run/react';
import { useId } from 'react';
import { Button } from '../../ui/controls/button';
import { SegmentedSelector } from '../../ui/controls/segmented-selector';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { Toggle } from '../../ui/controls/toggle';
import { useToast } from '../../ui/toast/toast-list';
import { Specimen } from './specimen';
import type { Texts } from './variants';

interface FormSpecimensProps {
  readonly texts: Texts;
  readonly received: readonly string[] | null;
  readonly scope: string;
}

const LONG_TOAST_MS = 5000;

export function FormSpecimens({ texts, received, scope }: FormSpecimensProps) {
  const { show } = useToast();
  const fetcher = useFetcher<{ received: string[] }>();
  const id = useId();
  const fields = fetcher.data?.received ?? received;
  return (
    <>
      <Specimen title={texts.form} isWide>
        <SubmitForm method="post" className="flex flex-col gap-4" preventScrollReset>
          <div className="flex flex-col gap-1.5">
            <label htmlFor={id} className="text-sm font-medium">
              {texts.name}
            </label>
            <input id={id} name="name" className="field" />
          </div>
          <SegmentedSelector
            label={texts.mode}
            name={`mode-${scope}`}
            options={[
              { key: 'photos', label: texts.photos },
              { key: 'videos', label: texts.videos },
            ]}
          />
          <Toggle label={texts.faceEnhance} name="face" />
          <div className="flex flex-wrap gap-3">
            <SubmitButton kind="primary">{texts.send}</SubmitButton>
            <SubmitButton kind="quiet" name="flash" value="yes">
              {texts.flash}
            </SubmitButton>
          </div>
        </SubmitForm>
        <SubmitForm fetcher={fetcher} method="post" className="mt-3">
          <input type="hidden" name="by" value="fetcher" />
          <SubmitButton kind="ghost" size="small">
            {texts.send} (fetcher)
          </SubmitButton>
        </SubmitForm>
        {fields && (
          <p className="mt-3 text-sm break-words text-muted" dir="ltr">
            {texts.received} {fields.join(', ')}
          </p>
        )}
      </Specimen>
      <Specimen title={texts.toastsTitle} isWide>
        <div className="flex flex-wrap gap-3 nojs:hidden">
          <Button kind="quiet" size="small" onClick={() => show(texts.copied)}>
            {texts.toast}
          </Button>
          <Button kind="quiet" size="small" onClick={() => show(texts.failed, { kind: 'problem' })}>
            {texts.toastProblem}
          </Button>
          <Button kind="quiet" size="small" onClick={() => show(texts.long, { durationMs: LONG_TOAST_MS })}>
            {texts.toastLong}
          </Button>
        </div>
      </Specimen>
    </>
  );
}
