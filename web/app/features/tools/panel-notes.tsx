import type { TFunction } from 'i18next';
import Sparkles from 'lucide-react/icons/sparkles';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send } from '../../http/browser-client';
import { versionAddress } from '../../session/task-addresses';
import { Badge } from '../../ui/content/badge';
import { Button, buttonClass } from '../../ui/controls/button';
import { HiddenFields } from '../../ui/controls/choices';
import { AppLink } from '../../ui/page/app-link';
import { ModalLink } from '../modals/modal-link';
import type { OutputView, ResultNote } from '../tasks/task-view';
import { type Choices, fieldsOf } from './choices';
import { enlargementOf } from './enlargement';
import type { MediaDetails } from './tools-view';
import { requiredPlanOf, type ToolsView } from './tools-view';

interface PreviewNoteProps {
  readonly view: ToolsView;
  readonly onApply: (choices: Choices) => void;
}

export function PreviewNote({ view, onApply }: PreviewNoteProps) {
  const { t } = useTranslation('result');
  const shown = view.results.find(({ id }) => id === view.shownId);
  if (!shown?.isPreview) return null;
  const plan = requiredPlanOf(shown.choices, view);
  const price = plan && view.prices[plan];
  return (
    <div className="preview-note flex flex-col gap-3 text-accent-ink">
      <div role="status" className="text-pretty">
        <span>{t(plan === null ? 'panel.preview.included' : `panel.preview.${plan}`)}</span>{' '}
        {price && <span className="font-semibold">{t('panel.preview.price', { price })}</span>}
      </div>
      {plan === null && (
        <Button kind="primary" size="small" className="self-start nojs:hidden" onClick={() => onApply(shown.choices)}>
          {t('panel.apply')}
        </Button>
      )}
    </div>
  );
}

const ACTION = 'min-h-11 text-center leading-tight text-balance max-lg:flex-1';

/** In place of the downloads: a preview has none. */
export function PreviewActions({ taskId, view }: { readonly taskId: string; readonly view: ToolsView }) {
  const { t } = useTranslation('result');
  const shown = view.results.find(({ id }) => id === view.shownId);
  const plan = shown ? requiredPlanOf(shown.choices, view) : null;
  return (
    <div className="flex w-full items-stretch gap-2 lg:w-auto">
      {plan !== null && (
        <ModalLink
          modal="offer"
          with={{ topic: plan === 'business' ? 'business_models' : 'premium_models', taskId }}
          className={`${buttonClass('primary', 'small')} ${ACTION}`}
        >
          {t('plans')}
        </ModalLink>
      )}
      {view.ownId !== null && (
        <AppLink
          to={versionAddress(taskId, view.ownId)}
          replace
          preventScrollReset
          className={`${buttonClass('quiet', 'small')} ${ACTION}`}
        >
          {t('panel.back')}
        </AppLink>
      )}
    </div>
  );
}

interface MismatchOfferProps {
  readonly offer: NonNullable<ToolsView['offer']>;
  /** Fields that the offer shares with the form: the picture's ids and its location. */
  readonly fields: Readonly<Record<string, string>>;
  readonly action: string;
  readonly onApply: () => void;
}

const APPLY_OFFER = { saved: 'applySaved', newer: 'applyNewer', faded: 'applyFaded' } as const;

/** Offers the saved models, the current versions, or what the photo needs. */
export function MismatchOffer({ offer, fields, action, onApply }: MismatchOfferProps) {
  const { t } = useTranslation('result');
  const [isDismissed, setDismissed] = useState(false);
  if (isDismissed) return null;
  return (
    <form
      method="post"
      action={action}
      className="flex flex-col gap-3 rounded-2xl bg-quiet px-4 py-3.5"
      onSubmit={(event) => {
        event.preventDefault();
        onApply();
      }}
    >
      <HiddenFields fields={{ ...fields, ...fieldsOf(offer.choices) }} />
      <p className="text-[0.9375rem] text-pretty">{t(`panel.offer.${offer.kind}`)}</p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" size="small">
          {t(`panel.offer.${APPLY_OFFER[offer.kind]}`)}
        </Button>
        <Button kind="ghost" size="small" className="nojs:hidden" onClick={() => setDismissed(true)}>
          {t('panel.offer.keep')}
        </Button>
      </div>
    </form>
  );
}

interface NewModelsProps {
  readonly action: string;
  /** Ids of the picture and its displayed result. */
  readonly fields: Readonly<Record<string, string>>;
}

export function NewModels({ action, fields }: NewModelsProps) {
  const { t } = useTranslation(['result', 'common']);
  const [isHidden, setHidden] = useState(false);
  if (isHidden) return null;
  return (
    <form
      method="post"
      action={action}
      // A phone held sideways shows the tools first.
      className="flex flex-col gap-3 rounded-2xl bg-quiet px-4 py-3.5 sideways:order-1"
      onSubmit={(event) => {
        event.preventDefault();
        setHidden(true);
        // Otherwise the tutorial is shown again on the next page.
        void send(action, new FormData(event.currentTarget));
      }}
    >
      <section aria-label={t('panel.newModels.title')} className="contents">
        <h2 className="flex items-center gap-2 font-medium">
          <Sparkles aria-hidden className="size-5 text-accent-ink" />
          {t('panel.newModels.title')}
        </h2>
        <ol className="flex list-decimal flex-col gap-1 ps-5 text-[0.9375rem] text-pretty">
          <li>{t('panel.newModels.face')}</li>
          <li>{t('panel.newModels.background')}</li>
          <li>{t('panel.newModels.try')}</li>
        </ol>
        <HiddenFields fields={{ ...fields, intent: 'dismissTutorial' }} />
        <Button type="submit" kind="quiet" size="small" className="self-start">
          {t('common:gotIt')}
        </Button>
      </section>
    </form>
  );
}

interface ResultNotesProps {
  readonly output: OutputView;
  readonly details: MediaDetails;
  /** Of a test key. */
  readonly isTest: boolean;
}

export function ResultNotes({ output, details, isTest }: ResultNotesProps) {
  const { t } = useTranslation('result');
  const enlargement = enlargementOf(details);
  const reason = output.untouchedReason;
  const untouchedText = details.isScaledDown ? t('untouchedScaled', { reason }) : t('untouched', { reason });
  if (!output.isUntouched && output.notes.length === 0 && !enlargement && !isTest) return null;
  return (
    <div className="summary-notes">
      {isTest && (
        <p>
          <Badge variant="business">{t('testKey')}</Badge>
        </p>
      )}
      {output.isUntouched && <p>{untouchedText}</p>}
      {output.notes.map((note) => (
        <p key={note.kind}>{noteText(note, t)}</p>
      ))}
      {enlargement && <p>{t('panel.details.enlarged', enlargement)}</p>}
    </div>
  );
}

function noteText(note: ResultNote, t: TFunction<'result'>): string {
  switch (note.kind) {
    case 'restored':
      return t('faces', { count: note.faces });
    case 'cleaned':
      return t('faces', { count: 0 });
    case 'repaired':
      return t('repaired', { count: note.marks });
    default:
      return t(note.kind);
  }
}
