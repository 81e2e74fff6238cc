import { Clearframe } from '@clearframe/client';

// The key comes from CLEARFRAME_API_KEY.
const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
const result = await clearframe.enhance('photo.jpg', { format: 'png' });
await result.save('better.png');
