import { useLoaderData, useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { MessagePage } from '../../ui/content/message-page';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { chooseBatch, loadBatchChoice } from './batch-choice.server';

export const loader = loadBatchChoice;
export const action = chooseBatch;
export { pageHeaders as headers } from '../../http/page-headers';
export { unlistedMeta as meta } from '../../http/page-meta';

export default function BatchChoicePage() {
  return <BatchChoice {...useLoaderData<typeof loader>()} />;
}

interface BatchChoiceProps {
  readonly title: string;
  /** Stored files that can be enhanced together. */
  readonly photos: number;
  readonly chosen: number;
}

/** For browsers without JavaScript: more files were chosen than a batch takes. */
function BatchChoice({ title, photos, chosen }: BatchChoiceProps) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  return (
    <SubmitForm method="post" action={`${pathname}${search}`} className="contents">
      <MessagePage
        title={title}
        actions={
          <>
            <SubmitButton kind="primary" name="intent" value="enhance">
              {t('uploadError.go', { rest: photos })}
            </SubmitButton>
            <SubmitButton kind="quiet" name="intent" value="discard">
              {t('cancel')}
            </SubmitButton>
          </>
        }
      >
        <p>{t('uploadError.tooManyFiles.body', { left: photos })}</p>
        <p>{t('uploadError.tooManyFiles.chosen', { chosen })}</p>
      </MessagePage>
    </SubmitForm>
  );
}
