import { describe, expect, it } from 'vitest';
import { StripeError } from './errors.js';
import { parseForm } from './params.js';

describe('parseForm', () => {
  it('reads hashes, arrays and encoded text', () => {
    expect(parseForm('items[0][price]=p&metadata[user%20id]=a+b&expand[]=x&expand[]=y&name=%26%3D')).toEqual({
      items: [{ price: 'p' }],
      metadata: { 'user id': 'a b' },
      expand: ['x', 'y'],
      name: '&=',
    });
    expect(parseForm('')).toEqual({});
  });

  it.each([
    ['a=1&a=2', 'parameter_duplicated'],
    ['a=1&a[b]=2', 'parameter_invalid'],
    ['a[b=1', 'parameter_unknown'],
    ['[a]=1', 'parameter_unknown'],
    ['__proto__[a]=1', 'parameter_unknown'],
    ['a=%zz', 'parameter_invalid_encoding'],
    ['a=[object Object]', 'parameter_invalid'],
  ])('rejects %s', (form, code) => {
    const error = (() => {
      try {
        return parseForm(form);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(StripeError);
    expect(error).toMatchObject({ status: 400, body: { type: 'invalid_request_error', code } });
  });
});
