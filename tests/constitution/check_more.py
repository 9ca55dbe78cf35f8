import json,re,os,collections as C
L=json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)),'more-outputs.json')))
assert len(L)==200 and [e['n'] for e in L]==list(range(1,201))
ids=[e['id'] for e in L]
assert sorted(ids)==[f'm{i:03d}' for i in range(1,101)]+[f'n{i:03d}' for i in range(1,101)]
for e in L:
    assert set(e)=={'id','n','area','must_catch','subtle','text','citations','why'}
    assert e['must_catch']==(e['id'][0]=='m')==(e['area'] is not None)
    assert e['citations']==len(set(re.findall(r'\[(\d+)\]',e['text']))),e['id']
    assert 30<=len(e['text'].split())<=120,e['id']
    assert e['why'].strip()
assert len({e['text'] for e in L})==200
for name,h in(('all',L),('odd',L[::2]),('even',L[1::2])):
    c=[e for e in h if e['must_catch']];o=[e for e in h if not e['must_catch']]
    w=lambda x:sum(len(e['text'].split()) for e in x)/len(x)
    print(name,'caught',len(c),'subtle',sum(e['subtle'] for e in c),dict(C.Counter(e['area'] for e in c)),'| ordinary',len(o),'near misses',sum(e['subtle'] for e in o))
    print('  mean words %.1f / %.1f'%(w(c),w(o)),'citations caught',sorted(C.Counter(e['citations'] for e in c).items()),'ordinary',sorted(C.Counter(e['citations'] for e in o).items()))
run=[k for k in ids]; s=''.join(i[0] for i in ids); print('longest run',max(len(x) for x in re.findall('m+|n+',s)))
