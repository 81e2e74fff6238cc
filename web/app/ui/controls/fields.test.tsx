import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CheckboxField, TextField } from './fields';
import type { FormField } from './use-form';

const FIELD: FormField = { id: 'email', name: 'email', isInvalid: false, entered: undefined };

const render = (field: Partial<FormField>) =>
  renderToStaticMarkup(
    <TextField field={{ ...FIELD, ...field }} label="Email" hint="Never shared" error="Enter an address" />,
  );

test('an invalid field names its error and its hint, and has the focus without JavaScript', () => {
  const html = render({ isInvalid: true });
  expect(html).toContain('aria-invalid="true"');
  expect(html).toContain('aria-describedby="email-error email-hint"');
  expect(html).toMatch(/<input[^>]* autofocus=""/);
  expect(html).toMatch(/<div id="email-error" role="alert"[^>]*>.*Enter an address/);
});

test('a valid field has no error', () => {
  const html = render({});
  expect(html).not.toContain('aria-invalid');
  expect(html).not.toContain('autofocus');
  expect(html).toContain('aria-describedby="email-hint"');
});

const isChecked = (entered: string | undefined) =>
  renderToStaticMarkup(
    <CheckboxField field={{ ...FIELD, entered }} label="Remind me" value="true" isChecked />,
  ).includes('checked=""');

test('a refused form shows its checkbox as it was sent', () => {
  expect([undefined, 'true', ''].map(isChecked)).toEqual([true, true, false]);
});
