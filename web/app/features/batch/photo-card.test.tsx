import { createInstance } from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { expect, test } from 'vitest';
import type { TaskView } from '../tasks/task-view';
import type { Transfer } from '../upload/transfer-store';
import { cardStateOf } from './batch-view';
import { CardActions } from './photo-card';

const PHOTO = { taskId: '1', state: { kind: 'uploading' }, output: null, uploadProblem: null } as TaskView;

const i18n = createInstance();
void i18n.init({ lng: 'en', resources: {} });

test.each(['sending', 'paused', 'failed', 'needsFile'] as const)(
  'while a file is %s, nothing that goes moves the button that cancels',
  (state) => {
    const transfer = { state, sent: 0.4, problem: null } as Transfer;
    const card = (
      <I18nextProvider i18n={i18n}>
        <CardActions
          bulkUploadId="2"
          photo={PHOTO}
          name="sea.jpg"
          state={cardStateOf(PHOTO, transfer)}
          transfer={transfer}
        />
      </I18nextProvider>
    );
    const labels = [...renderToStaticMarkup(card).matchAll(/<(?:button|input)[^>]* aria-label="([^"]*)"/g)];
    expect(labels.map(([, label]) => label)).toEqual(['batch.cancel', expect.any(String)]);
  },
);
