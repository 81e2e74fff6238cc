import { Clearframe } from '@clearframe/client';

const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
const token = await clearframe.createUploadToken({ faces: { model: 'v2' }, origin: 'https://shop.example' });
console.log(JSON.stringify(token));
