/** A form that a browser sends, or with `accept: application/json` its script. */
export function formRequest(path: string, fields: Record<string, string>, cookie = '', accept = ''): Request {
  const body = new URLSearchParams(fields).toString();
  const type = 'application/x-www-form-urlencoded';
  const headers = { accept, cookie, 'content-type': type, 'content-length': String(body.length) };
  return new Request(`http://clearframe.test${path}`, { method: 'POST', headers, body });
}
