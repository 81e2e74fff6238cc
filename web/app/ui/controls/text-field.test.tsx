import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TextField } from './text-field';

const render = (error: string | null) =>
  renderToStaticMarkup(<TextField id="email" name="email" label="Email" hint="Never shared" error={error} />);

test('an invalid field names its error and its hint, and has the focus without script', () => {
  const html = render('Enter an address');
  expect(html).toContain('aria-invalid="true"');
  expect(html).toContain('aria-describedby="email-error email-hint"');
  expect(html).toMatch(/<input[^>]* autofocus=""/);
  expect(html).toMatch(/<div id="email-error" role="alert"[^>]*>.*Enter an address/);
});

test('a valid field has no error', () => {
  const html = render(null);
  expect(html).not.toContain('aria-invalid');
  expect(html).not.toContain('autofocus');
  expect(html).toContain('aria-describedby="email-hint"');
});
